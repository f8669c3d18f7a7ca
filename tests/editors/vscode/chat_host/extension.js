// What a chat needs besides participants: an assistant of its own, and a model. This model is a program: it answers with what it
// was given, so that a test sees what a real one would see.
const vscode = require("vscode");

const MODEL = {
  id: "offline",
  name: "Offline model",
  family: "offline",
  version: "1",
  maxInputTokens: 20_000,
  maxOutputTokens: 2_000,
  isDefault: true,
  isUserSelectable: true,
  capabilities: { toolCalling: true },
};

const MOST_PLACES = 6;

function textOf(message) {
  return message.content.map((part) => part.value ?? "").join("");
}

const provider = {
  provideLanguageModelChatInformation: async () => [MODEL],
  provideTokenCount: async (_model, given) => Math.ceil((typeof given === "string" ? given : textOf(given)).length / 4),
  provideLanguageModelChatResponse: async (_model, messages, _options, progress) => {
    const places = messages.flatMap((message) => [...textOf(message).matchAll(/^### `([^`]+)`/gm)].map((found) => found[1]));
    const lines = [...new Set(places)].map((place) => `- \`${place}\``);
    lines.splice(MOST_PLACES, lines.length, ...(lines.length > MOST_PLACES ? [`- and ${lines.length - MOST_PLACES} more`] : []));
    const current = textOf(messages.at(-1));
    if (current.includes("separated by spaces")) {
      progress.report(new vscode.LanguageModelTextPart("discount rebate"));
      return;
    }
    const pointers = [...current.matchAll(/^- `([^`]+)`.*: shown in turn (\d+)/gm)].map((found) => `- ${found[1]} of turn ${found[2]}`);
    const seen = pointers.length > 0 ? `\n\nSeen before:\n\n${pointers.join("\n")}` : "";
    const asked = current.split("\n").at(-1);
    const said = `You asked “${asked}” after ${messages.length - 1} messages. This is where to look:\n\n${lines.join("\n")}${seen}`;
    progress.report(new vscode.LanguageModelTextPart(said));
  },
};

/** Calls the tools that the user referenced, then asks the model. */
async function assist(request, _chat, stream, token) {
  const { toolInvocationToken } = request;
  const found = [];
  for (const { name } of request.toolReferences) {
    const query = request.prompt.replace(/#\w+/g, "").trim();
    const result = await vscode.lm.invokeTool(name, { input: { query }, toolInvocationToken }, token);
    found.push(result.content.map((part) => part.value ?? "").join(""));
  }
  const messages = [...found, request.prompt].map((text) => vscode.LanguageModelChatMessage.User(text));
  const answer = await request.model.sendRequest(messages, {}, token);
  for await (const part of answer.text) {
    stream.markdown(part);
  }
}

exports.activate = (context) => {
  context.subscriptions.push(
    vscode.lm.registerLanguageModelChatProvider("chat-host", provider),
    vscode.chat.createChatParticipant("chat-host.assistant", assist),
  );
  void vscode.lm.selectChatModels({ vendor: "chat-host" });
};
