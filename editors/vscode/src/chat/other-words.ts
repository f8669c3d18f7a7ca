/** Words that the code may have for what a person asks: the chat's model knows some, and the server looks for them as well. */
import * as vscode from "vscode";

/** Longer texts are pasted, and name the code themselves. */
const MOST_CHARACTERS = 600;
const MOST_WORDS = 8;
/** Who waits for an answer waits no longer than this for better context. */
const MOST_MS = 4_000;
const WORD = /[\p{L}_$][\p{L}\p{N}_$]{1,60}/gu;

/** The part of a chat's model that is needed. */
export type Asked = Pick<vscode.LanguageModelChat, "sendRequest">;

/** What the model answers; nothing where it knows no words, fails or is late. */
export async function otherWords(
  model: Asked,
  question: string,
  token: vscode.CancellationToken,
  mostMs = MOST_MS,
): Promise<readonly string[]> {
  if (question === "" || question.length > MOST_CHARACTERS) {
    return [];
  }
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(resolve, mostMs, "");
  });
  const said = await Promise.race([ask(model, question, token).catch(() => ""), late]);
  clearTimeout(timer);
  return [...new Set(said.match(WORD))].slice(0, MOST_WORDS);
}

async function ask(model: Asked, question: string, token: vscode.CancellationToken): Promise<string> {
  const request = `<question>${question}</question>
Which words and names may the code have for what is asked, where the question says it otherwise?
Answer with up to ${MOST_WORDS}, separated by spaces, and nothing else; with a dash where it names the code.`;
  const { text } = await model.sendRequest([vscode.LanguageModelChatMessage.User(request)], {}, token);
  let said = "";
  for await (const part of text) {
    said += part;
  }
  return said;
}
