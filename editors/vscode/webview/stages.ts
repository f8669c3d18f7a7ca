/** What is shown where there is no answer, and notes above one. */
import type { PanelState, PlainAction, Stage } from "../src/panel/messages";
import { iconButton, textButton } from "./buttons";
import { el, setChildren, setShown, setText } from "./dom";
import { icon } from "./icons";
import type { Say } from "./text";

interface Words {
  readonly title: string;
  readonly more: string;
  readonly buttons: readonly (readonly [PlainAction, string])[];
}

/** A few words in the middle and the button that helps. */
export class StageView {
  readonly element = el("div", "stage");
  private shown = "";

  constructor(
    private readonly say: Say,
    private readonly send: (action: PlainAction) => void,
  ) {}

  update(stage: Stage): void {
    const words = this.wordsFor(stage);
    setShown(this.element, words !== undefined);
    const shown = JSON.stringify(words);
    if (words === undefined || shown === this.shown) {
      return;
    }
    this.shown = shown;
    const buttons = words.buttons.map(([action, label], index) =>
      textButton(index === 0 && action !== "log" ? "primary" : "secondary", label, () => {
        this.send(action);
      }),
    );
    this.element.replaceChildren(
      el("span", "stage-icon", {}, icon(stage.kind === "failed" ? "warning" : "layers")),
      el("h2", "", {}, words.title),
      el("p", "", {}, words.more),
      ...buttons,
    );
  }

  private wordsFor(stage: Stage): Words | undefined {
    const { say } = this;
    switch (stage.kind) {
      case "noFolder":
        return { title: say("noFolder"), more: say("noFolderMore"), buttons: [["openFolder", say("openFolder")]] };
      case "starting":
        return { title: say("starting"), more: "", buttons: [["log", say("log")]] };
      case "setUp":
        return { title: say("setUpTitle"), more: stage.message, buttons: [["setUp", say("setUp")], ["log", say("log")]] };
      case "failed":
        return { title: say("failedTitle"), more: stage.message, buttons: [["retry", say("retry")], ["log", say("log")]] };
      case "unasked":
        return { title: say("unasked"), more: say("unaskedMore"), buttons: [] };
      case "asking":
        return { title: say("asking"), more: "", buttons: [] };
      case "indexing":
        return { title: say("reading"), more: say("readingMore"), buttons: [] };
      case "nothing":
        return { title: say("nothing"), more: say("nothingMore"), buttons: [] };
      case "shown":
        return undefined;
    }
  }
}

/** Warnings of the server, and that an answer may be incomplete. */
export class Notices {
  readonly element = el("ul", "notices");
  private shown: readonly string[] = [];

  update(notices: readonly string[]): void {
    if (notices.join("\n") !== this.shown.join("\n")) {
      this.shown = notices;
      setChildren(
        this.element,
        notices.map((notice) => el("li", "notice", {}, icon("warning"), el("span", "", {}, notice))),
      );
    }
    setShown(this.element, notices.length > 0);
  }
}

/** What stays out this time, each with a way back. */
export class LeftOut {
  readonly element: HTMLElement;
  private readonly chips = el("span", "chips");
  private shown: readonly string[] = [];

  constructor(
    private readonly say: Say,
    private readonly bringBack: (source: string) => void,
  ) {
    const label = el("span", "left-out-label");
    setText(label, say("leftOut"));
    this.element = el("div", "left-out", { role: "group", "aria-label": say("leftOut") }, label, this.chips);
  }

  update({ leftOut }: PanelState): void {
    if (leftOut.join("\n") !== this.shown.join("\n")) {
      this.shown = leftOut;
      setChildren(
        this.chips,
        leftOut.map((source) =>
          el(
            "span",
            "chip",
            { title: source },
            el("span", "chip-text", {}, source.slice(source.lastIndexOf("/") + 1)),
            iconButton("close", this.say("undo", source), () => {
              this.bringBack(source);
            }),
          ),
        ),
      );
    }
    setShown(this.element, leftOut.length > 0);
  }
}
