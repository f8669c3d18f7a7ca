/** Everything that the panel says, in the user's language. */
import { l10n } from "vscode";
import type { Layer } from "../protocol";
import type { Words } from "./model";

export interface PanelWords extends Words {
  readonly layers: Readonly<Record<Layer, string>>;
  readonly indexing: string;
  readonly indexed: (done: string, all: string) => string;
  readonly little: string;
  readonly serverDown: string;
}

export function words(): PanelWords {
  return {
    sections: {
      task: l10n.t("Task"),
      working_set: l10n.t("Working Set"),
      recent: l10n.t("Recent Activity"),
      semantic: l10n.t("Relevant Content"),
      entity: l10n.t("Known Entities"),
      relation: l10n.t("Relationships"),
      pattern: l10n.t("Applicable Patterns"),
      package: l10n.t("From Installed Packages"),
      custom: l10n.t("Additional Context"),
      omitted: l10n.t("Left out"),
      first: l10n.t("Only in the first"),
      both: l10n.t("In both"),
      second: l10n.t("Only in the second"),
    },
    compressions: {
      skeleton: l10n.t("skeleton"),
      fold: l10n.t("folded"),
      head: l10n.t("first lines"),
      summary: l10n.t("summary"),
      earlier: l10n.t("in an earlier turn"),
    },
    layers: {
      workspace: l10n.t("Workspace"),
      persona: l10n.t("Persona"),
      session: l10n.t("Conversation"),
      memory: l10n.t("Retrieved"),
      event: l10n.t("This message"),
    },
    reasons: {
      budget: l10n.t("no room in the budget"),
      duplicate: l10n.t("said already by another piece"),
      earlier: l10n.t("said in an earlier turn"),
      excluded: l10n.t("excluded"),
      limit: l10n.t("more of its kind than are wanted"),
      unlikely: l10n.t("not likely to be of use"),
    },
    indexing: l10n.t("The index is still being built: this answer may be incomplete."),
    indexed: (done, all) =>
      l10n.t("The index is still being built ({0} of {1} files): this answer may be incomplete.", done, all),
    little: l10n.t("Little here matches this question."),
    serverDown: l10n.t("The server is not running: this is the last answer."),
  };
}

/** What is said where there is no answer. */
function stageStrings() {
  return {
    noFolder: l10n.t("No folder is open"),
    noFolderMore: l10n.t("contextls answers about a folder."),
    openFolder: l10n.t("Open Folder"),
    starting: l10n.t("The server is starting…"),
    setUpTitle: l10n.t("Almost there"),
    setUp: l10n.t("Set Up Server"),
    failedTitle: l10n.t("That did not work"),
    retry: l10n.t("Try Again"),
    log: l10n.t("Show Log"),
    unasked: l10n.t("See what a model would be told"),
    unaskedMore: l10n.t(
      "Ask a question: the code that answers it, the last failure and what you just did, within your budget.",
    ),
    asking: l10n.t("Looking…"),
    reading: l10n.t("Reading your code…"),
    readingMore: l10n.t("The answer appears here by itself."),
    nothing: l10n.t("Nothing speaks of this"),
    nothingMore: l10n.t("Try other words, or a larger budget."),
  };
}

/** What the page itself says. `{0}` and so on are filled in by the page. */
export function pageStrings() {
  return {
    ...stageStrings(),
    question: l10n.t("Question"),
    questionHint: l10n.t("What do you want to ask?"),
    second: l10n.t("Second question"),
    secondHint: l10n.t("Compare with another question"),
    ask: l10n.t("Ask"),
    archetype: l10n.t("Kind of question"),
    automatic: l10n.t("Automatic"),
    automaticUsed: l10n.t("Automatic ({0})"),
    automaticHint: l10n.t("The server reads from the question which kind it is."),
    budget: l10n.t("Budget in tokens"),
    less: l10n.t("Smaller budget"),
    more: l10n.t("Larger budget"),
    ofBudget: l10n.t("{0} of {1} tokens"),
    exactly: l10n.t("{0}, exact"),
    estimated: l10n.t("{0}, estimated"),
    free: l10n.t("free"),
    tokens: l10n.t("{0} tokens"),
    bar: l10n.t("Budget by section"),
    turn: l10n.t("Chat: {0} of {1} tokens"),
    turnLayers: l10n.t("Tokens of the chat by layer"),
    cachedNone: l10n.t("first turn: nothing cached yet"),
    cached: l10n.t("{0} % cached, as predicted"),
    saved: l10n.t("{0} tokens stand in earlier turns and were not sent again"),
    copy: l10n.t("Copy"),
    copied: l10n.t("Copied"),
    copyHint: l10n.t("Copy this prompt"),
    send: l10n.t("Send to Chat"),
    sendHint: l10n.t("Put this prompt into the chat"),
    insert: l10n.t("Insert at the cursor"),
    document: l10n.t("Open as a document"),
    compare: l10n.t("Compare two questions"),
    swap: l10n.t("Swap the questions"),
    close: l10n.t("Close the comparison"),
    comparing: l10n.t("{0} tokens and {1} tokens"),
    items: l10n.t("Pieces of the prompt"),
    counted: l10n.t("{0} pieces, {1} tokens"),
    itemTokens: l10n.t("{0} tokens"),
    score: l10n.t("score {0}"),
    isPinned: l10n.t("pinned"),
    open: l10n.t("Open"),
    pin: l10n.t("Pin {0}"),
    bringIn: l10n.t("Bring in: pin {0}"),
    unpin: l10n.t("Unpin {0}"),
    exclude: l10n.t("Always exclude {0}"),
    leaveOut: l10n.t("Leave out this time"),
    up: l10n.t("Move up"),
    down: l10n.t("Move down"),
    helpful: l10n.t("Helpful"),
    unhelpful: l10n.t("Not helpful"),
    actions: l10n.t("Actions for {0}"),
    leftOut: l10n.t("Left out this time"),
    undo: l10n.t("Bring back {0}"),
    keys: l10n.t(
      "Enter opens, Space shows the text, Alt+Up and Alt+Down move, P pins, Delete leaves out, Shift+Delete always excludes.",
    ),
  };
}
