/** What the panel shows, worked out from what is known. Pure. */
import type { AssembledTurn, Context } from "../protocol";
import { ServerMissingError } from "../server/launch";
import type { ServerState } from "../server/server";
import type { ArchetypeView, PanelState, SectionView, Stage } from "./messages";
import { comparedOf, type Marks, omittedOf, sectionsOf, sharesOf, totalOf, type Words } from "./model";
import type { Question } from "./question";
import type { PanelWords } from "./strings";
import { turnOf } from "./turn";

/** Of answers below this, the best piece is of use in one of ten. */
const LITTLE = 0.3;
/** The source of the server's own sentence. */
const SAYS_NOTHING = "nothing";

export interface Known {
  readonly server: ServerState;
  readonly folder: { readonly name: string; readonly several: boolean } | undefined;
  readonly question: Question;
  readonly second: string | undefined;
  readonly budget: number;
  /** The budget of what is shown. */
  readonly shownBudget: number;
  readonly archetypes: readonly ArchetypeView[];
  readonly context: Context | undefined;
  readonly secondContext: Context | undefined;
  readonly failure: Error | undefined;
  readonly busy: boolean;
  readonly marks: Marks;
  readonly turn: AssembledTurn | undefined;
  readonly chat: boolean;
  readonly words: PanelWords;
}

export function stateOf(known: Known): PanelState {
  const { context, secondContext, words, marks, question } = known;
  const sections = context === undefined ? [] : sectionsOf(context, words, marks);
  const shown = shownSections(context, secondContext, sections, words, marks);
  return {
    stage: stageOf(known, sections),
    busy: known.busy,
    question: question.text,
    second: known.second ?? null,
    archetype: question.archetype ?? null,
    usedArchetype: context?.strategy.name ?? null,
    archetypes: known.archetypes.map(({ name, description }) => ({ name, description })),
    budget: known.budget,
    budgetChosen: question.budget !== undefined,
    folder: known.folder?.several === true ? known.folder.name : null,
    total: context === undefined ? null : totalOf(context, known.shownBudget),
    secondTotal: secondContext === undefined ? null : totalOf(secondContext, known.shownBudget),
    shares: sharesOf(secondContext === undefined ? sections : shown),
    sections: shown,
    turn: known.turn === undefined ? null : turnOf(known.turn, words.layers),
    leftOut: question.leftOut,
    chat: known.chat,
    notices: noticesOf(known),
  };
}

function shownSections(
  context: Context | undefined,
  second: Context | undefined,
  sections: readonly SectionView[],
  words: Words,
  marks: Marks,
): readonly SectionView[] {
  if (context === undefined) {
    return [];
  }
  return second === undefined
    ? [...sections, ...omittedOf(context, words)]
    : comparedOf(context, second, words, marks);
}

function stageOf(known: Known, sections: readonly SectionView[]): Stage {
  const { server, failure, context, question } = known;
  if (known.folder === undefined) {
    return { kind: "noFolder" };
  }
  const error = failure ?? (server.kind === "failed" ? server.error : undefined);
  if (error !== undefined && (context === undefined || failure !== undefined)) {
    return { kind: error instanceof ServerMissingError ? "setUp" : "failed", message: error.message };
  }
  if (context !== undefined) {
    return { kind: sections.length > 0 ? "shown" : context.report.indexComplete ? "nothing" : "indexing" };
  }
  if (server.kind !== "running") {
    return { kind: "starting" };
  }
  return { kind: question.text === "" ? "unasked" : "asking" };
}

/** Whether the best piece is hardly of use; where the prompt says so itself, nobody else needs to. */
function matchesLittle({ confidence, components }: Context): boolean {
  return confidence < LITTLE && components.length > 0 && !components.some(({ source }) => source === SAYS_NOTHING);
}

function noticesOf({ context, secondContext, server, words }: Known): readonly string[] {
  const contexts = [context, secondContext].filter((each) => each !== undefined);
  const notices = contexts.flatMap(({ report }) => report.warnings);
  if (contexts.some(matchesLittle)) {
    notices.unshift(words.little);
  }
  const incomplete = contexts.find(({ report, components }) => !report.indexComplete && components.length > 0);
  if (incomplete !== undefined) {
    const extent = incomplete.report.indexExtent;
    notices.unshift(
      extent === null
        ? words.indexing
        : words.indexed(extent.indexed.toLocaleString(), extent.found.toLocaleString()),
    );
  }
  if (contexts.length > 0 && server.kind !== "running") {
    notices.unshift(words.serverDown);
  }
  return [...new Set(notices)];
}
