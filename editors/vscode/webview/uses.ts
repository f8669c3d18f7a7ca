/** What can be done with the whole prompt. */
import type { PanelState, PlainAction } from "../src/panel/messages";
import { iconButton } from "./buttons";
import { el, setAttribute, setShown } from "./dom";
import { icon } from "./icons";
import type { Say } from "./text";

export class Uses {
  readonly element: HTMLElement;
  private readonly compare: HTMLButtonElement;

  constructor(say: Say, send: (action: PlainAction) => void, compare: () => void) {
    const copy = el("button", "primary copy", { type: "button", title: say("copyHint") }, icon("copy"), el("span", "", {}, say("copy")));
    copy.addEventListener("click", () => {
      send("copy");
    });
    const insert = iconButton("insert", say("insert"), () => {
      send("insert");
    });
    const document = iconButton("document", say("document"), () => {
      send("document");
    });
    this.compare = iconButton("compare", say("compare"), compare);
    this.element = el("div", "uses", {}, copy, insert, document, this.compare);
  }

  update(state: PanelState): void {
    setShown(this.element, state.total !== null);
    setAttribute(this.compare, "aria-pressed", String(state.second !== null));
  }
}
