/** Reads a component's `source` and `content` for people: where it is, what it says. */
import type { SectionType } from "../protocol";
import { type SourcePlace, sourcePlace } from "../sources";

const IN_FILES: ReadonlySet<SectionType> = new Set(["semantic", "entity", "working_set"]);
const HEADING = /^### .*\n?/;
const HEADING_SYMBOL = /^### (`+).+?\1 (`+) ?(.+?) ?\2/;
const FENCED = /^(`{3,}|~{3,})[^\n]*\n([\s\S]*?)\n?\1\s*$/;
const BULLET = /^- (?:\d{4}-\d\d-\d\dT[\d:.]+Z )?/;
const LANGUAGE = /^[`~]{3,}([\w-]*)/m;
/** Their headings are no names of code. */
const PROSE: ReadonlySet<string> = new Set(["", "markdown", "text", "rst", "html", "json", "yaml", "toml"]);
const SYMBOL = /^[\p{L}\p{N}_$.:<>~]+$/u;

/** The place in the workspace that `source` names, or undefined for what is no place: an event, a habit, an edge. */
export function placeOf(type: SectionType, source: string): SourcePlace | undefined {
  if (!IN_FILES.has(type)) {
    return undefined;
  }
  return sourcePlace(source) ?? (type === "entity" && !/[./]/.test(source) ? undefined : { path: source });
}

/** What the heading of a piece of code names besides the place, or empty. */
export function titleIn(content: string): string {
  return HEADING_SYMBOL.exec(content)?.[3] ?? "";
}

/** The symbol that a piece of code is, or undefined where its heading names none or it is no code. */
export function symbolIn(content: string): string | undefined {
  const title = titleIn(content);
  return SYMBOL.test(title) && !PROSE.has(LANGUAGE.exec(content)?.[1] ?? "") ? title : undefined;
}

/** The piece as its author wrote it: without the heading and the fence that the prompt puts around it. */
export function plainText(content: string): string {
  const body = content.replace(HEADING, "").trim();
  return FENCED.exec(body)?.[2] ?? body;
}

/** The first line of an event, habit or edge, without the bullet, the time and the marks that a prompt puts around it. */
export function firstLine(content: string): string {
  const line = content.split("\n", 1)[0] ?? "";
  return line.replace(BULLET, "").replace(/ \[success\]$/, "").replaceAll("`", "");
}

/** `src/app.py` as `["src/", "app.py"]`. */
export function splitPath(path: string): readonly [folder: string, name: string] {
  const slash = path.replace(/\/$/, "").lastIndexOf("/") + 1;
  return [path.slice(0, slash), path.slice(slash)];
}
