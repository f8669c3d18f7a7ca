/** What can be done with the whole prompt. */
import type { PanelState, PlainAction } from "../src/panel/messages";
import { iconButton } from "./buttons";
import { el, setAttribute, setShown, setText } from "./dom";
import { icon } from "./icons";
import type { Say } from "./text";

const COPIED_MS = 2_000;

export class Uses {
  readonly element: HTMLElement;
  private readonly chat: HTMLButtonElement;
  private readonly compare: HTMLButtonElement;
  private readonly copyLabel = el("span");
  private timer: number | undefined;

  constructor(
    private readonly say: Say,
    send: (action: PlainAction) => void,
    compare: () => void,
  ) {
    const copy = el("button", "primary copy", { type: "button", title: say("copyHint") }, icon("copy"), this.copyLabel);
    setText(this.copyLabel, say("copy"));
    copy.addEventListener("click", () => {
      send("copy");
    });
    this.chat = el("button", "secondary", { type: "button", title: say("sendHint") }, icon("send"), el("span", "", {}, say("send")));
    this.chat.addEventListener("click", () => {
      send("send");
    });
    const insert = iconButton("insert", say("insert"), () => {
      send("insert");
    });
    const document = iconButton("document", say("document"), () => {
      send("document");
    });
    this.compare = iconButton("compare", say("compare"), compare);
    this.element = el("div", "uses", {}, copy, this.chat, insert, document, this.compare);
  }

  /** Says for a moment, where the user is looking, that it is done. */
  copied(): void {
    clearTimeout(this.timer);
    setText(this.copyLabel, this.say("copied"));
    this.timer = setTimeout(() => {
      setText(this.copyLabel, this.say("copy"));
    }, COPIED_MS);
  }

  update(state: PanelState): void {
    setShown(this.element, state.total !== null && state.total.tokens > 0);
    setShown(this.chat, state.chat);
    setAttribute(this.compare, "aria-pressed", String(state.second !== null));
  }
}
