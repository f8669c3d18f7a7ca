/** What the panel asks: the user's choices, and how they become the parameters of a request. */
import { optional } from "../optional";
import type { AssembleParams } from "../protocol";

export interface Question {
  readonly text: string;
  /** Undefined leaves the choice to the server. */
  readonly archetype: string | undefined;
  /** Undefined means the setting. */
  readonly budget: number | undefined;
  /** Sources that stay out this time. */
  readonly leftOut: readonly string[];
  /** For each section that the user has put in order, its sources. */
  readonly order: Readonly<Record<string, readonly string[]>>;
  /** What another command asked for besides, such as the changes of a review. */
  readonly base: Partial<AssembleParams>;
}

export const NO_QUESTION: Question = {
  text: "",
  archetype: undefined,
  budget: undefined,
  leftOut: [],
  order: {},
  base: {},
};

/** A new question with the same archetype and budget; everything that belongs to the old answer is gone. */
export function reworded(question: Question, text: string): Question {
  return { ...question, text, leftOut: [], order: {}, base: {} };
}

/** The question behind a context that another caller asked for; `params` are those of its request, where known. */
export function followed(query: string, params: AssembleParams | undefined): Question {
  if (params === undefined) {
    return { ...NO_QUESTION, text: query };
  }
  const { additionalContext, boosts, changes, filters, maxTokens, order, strategy, task } = params;
  const named = typeof strategy === "string";
  const { exclude, ...filtersLeft } = filters ?? {};
  return {
    text: query,
    archetype: named ? strategy : undefined,
    budget: maxTokens,
    leftOut: exclude ?? [],
    order: order === undefined ? {} : { all: order },
    base: optional({
      additionalContext,
      boosts,
      changes,
      task,
      strategy: named ? undefined : strategy,
      filters: Object.keys(filtersLeft).length > 0 ? filtersLeft : undefined,
    }),
  };
}

/** The request for `question`, with the user at `place`. */
export function requestFor(question: Question, budget: number, place: Partial<AssembleParams>): AssembleParams {
  const order = [...new Set(Object.values(question.order).reverse().flat())]; // what was put in order last counts
  const filters = { ...question.base.filters, ...(question.leftOut.length > 0 ? { exclude: question.leftOut } : {}) };
  return {
    ...question.base,
    ...place,
    query: question.text,
    maxTokens: budget,
    ...optional({
      strategy: question.archetype ?? question.base.strategy,
      filters: Object.keys(filters).length > 0 ? filters : undefined,
      order: order.length > 0 ? order : undefined,
    }),
  };
}
