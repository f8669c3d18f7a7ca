// The processes of the extension's own server, apart from the servers that tests talk to themselves.
import { readdirSync, readFileSync } from "node:fs";
import { isConnected } from "./support";

export function isAlive(pid: number): boolean {
  return !/^$| Z /u.test(stateOf(pid));
}

/** The servers that this extension host has started, but for those of tests. */
export function serversOfThisHost(): readonly number[] {
  const numbers = readdirSync("/proc").filter((name) => /^\d+$/u.test(name)).map(Number);
  return numbers.filter((pid) => isAlive(pid) && isServer(pid) && !isConnected(pid));
}

function isServer(pid: number): boolean {
  const parent = Number(/\) \S (\d+)/u.exec(stateOf(pid))?.[1]);
  return parent === process.pid && read(pid, "cmdline").includes("contextls\0serve");
}

function stateOf(pid: number): string {
  const stat = read(pid, "stat");
  return stat.slice(stat.lastIndexOf(")"));
}

function read(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "utf8");
  } catch {
    return ""; // it is gone
  }
}
