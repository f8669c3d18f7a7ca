// An extension that does just enough to try the harness on: asks, notifies, logs, shows a page.
const vscode = require("vscode");

async function ask(log) {
  const animal = await vscode.window.showInputBox({ prompt: "Which animal?" });
  const kind = await vscode.window.showQuickPick(["bird", "fish"], { placeHolder: "What is it?" });
  log.info(`a ${kind}: ${animal}`);
  const answer = await vscode.window.showInformationMessage(`Keep the ${animal}?`, "Keep", "Let Go");
  await vscode.window.showInformationMessage(`You chose: ${answer}`);
}

function showPage() {
  const panel = vscode.window.createWebviewPanel("tiny", "Tiny Page", vscode.ViewColumn.One, { enableScripts: true });
  panel.webview.html = `<button id="press">Press</button><script>
    const button = document.getElementById("press");
    button.addEventListener("click", () => { button.textContent = "Pressed"; });
  </script>`;
}

const louder = {
  provideCodeActions(document, range) {
    const line = document.lineAt(range.start.line);
    const action = new vscode.CodeAction("Say It Louder", vscode.CodeActionKind.QuickFix);
    action.edit = new vscode.WorkspaceEdit();
    action.edit.replace(document.uri, line.range, line.text.toUpperCase());
    return [action];
  },
};

exports.activate = (context) => {
  const log = vscode.window.createOutputChannel("Tiny", { log: true });
  context.subscriptions.push(
    log,
    vscode.languages.registerCodeActionsProvider("markdown", louder),
    vscode.commands.registerCommand("tiny.ask", () => ask(log)),
    vscode.commands.registerCommand("tiny.page", showPage),
  );
};
