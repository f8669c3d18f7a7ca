// An extension that does just enough to try the harness on (asks, notifies, logs, shows a page), and tidies up between tests.
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

const TIDIED = [
  "workbench.action.terminal.killAll",
  "workbench.action.closePanel",
  "workbench.action.closeAuxiliaryBar",
  "workbench.view.explorer",
  "notifications.clearAll",
];

/** The explorer cannot be shown in the moment in which one of its files goes. */
async function execute(command, tries = 5) {
  try {
    await vscode.commands.executeCommand(command);
  } catch (error) {
    if (tries === 1) {
      throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 300));
    await execute(command, tries - 1);
  }
}

/** Leaves the window as it was when it opened, but for what it has remembered; nothing is saved. */
async function tidyUp() {
  while (vscode.window.tabGroups.activeTabGroup.activeTab !== undefined) {
    await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
  }
  for (const command of TIDIED) {
    await execute(command);
  }
  await vscode.env.clipboard.writeText("tidied up");
}

exports.activate = (context) => {
  const log = vscode.window.createOutputChannel("Tiny", { log: true });
  context.subscriptions.push(
    log,
    vscode.languages.registerCodeActionsProvider("markdown", louder),
    vscode.commands.registerCommand("tiny.ask", () => ask(log)),
    vscode.commands.registerCommand("tiny.page", showPage),
    vscode.commands.registerCommand("tiny.tidyUp", tidyUp),
  );
};
