/** The page of the panel: a frame that the script fills. Nothing runs and nothing is loaded that is not ours. */
import { randomBytes } from "node:crypto";
import * as vscode from "vscode";

const FOLDER = ["dist", "webview"];

export function resourceRoots(extension: vscode.Uri): readonly vscode.Uri[] {
  return [vscode.Uri.joinPath(extension, ...FOLDER)];
}

export function pageFor(webview: vscode.Webview, extension: vscode.Uri): string {
  const at = (name: string): string => webview.asWebviewUri(vscode.Uri.joinPath(extension, ...FOLDER, name)).toString();
  const nonce = randomBytes(18).toString("base64");
  const policy = `default-src 'none'; base-uri 'none'; form-action 'none'; style-src ${webview.cspSource}; script-src 'nonce-${nonce}'`;
  return `<!DOCTYPE html>
<html lang="${vscode.env.language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${vscode.l10n.t("Context")}</title>
<link rel="stylesheet" href="${at("panel.css")}">
</head>
<body>
<main id="contextls"></main>
<script nonce="${nonce}" src="${at("panel.js")}"></script>
</body>
</html>`;
}
