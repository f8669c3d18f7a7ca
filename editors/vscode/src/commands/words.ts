/** Figures as people read them. */
import * as vscode from "vscode";

const UNITS = ["B", "KB", "MB", "GB", "TB"] as const;
const STEP = 1024;

/** As `11 KB` or `1.4 MB`. */
export function bytes(count: number): string {
  const power = count < STEP ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log(count) / Math.log(STEP)));
  const value = count / STEP ** power;
  const shown = value.toLocaleString(vscode.env.language, { maximumFractionDigits: value < 10 && power > 0 ? 1 : 0 });
  return `${shown} ${UNITS[power] ?? ""}`;
}

/** As `python 120, markdown 14`, most first. */
export function languages(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .sort(([, one], [, other]) => other - one)
    .map(([name, count]) => `${name} ${count.toLocaleString(vscode.env.language)}`)
    .join(", ");
}
