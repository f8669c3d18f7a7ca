/** The buttons for what can be done with one piece. */
import type { ItemAction, ItemView } from "../src/panel/messages";
import { iconButton } from "./buttons";
import { el, setAttribute, setShown } from "./dom";
import type { IconName } from "./icons";
import type { Say } from "./text";

/** What a piece shows depends on where it stands, too. */
export interface PlacedItem extends ItemView {
  readonly movable: boolean;
  readonly omitted: boolean;
}

export type ButtonAction = Exclude<ItemAction, "peek"> & IconName;

export const ALL: readonly ButtonAction[] = [
  "open",
  "pin",
  "unpin",
  "up",
  "down",
  "leaveOut",
  "exclude",
  "helpful",
  "unhelpful",
];
/** Those that a row offers at once. */
export const QUICK: readonly ButtonAction[] = ["up", "down", "pin", "unpin", "leaveOut"];

export function allows(view: PlacedItem, action: ItemAction): boolean {
  switch (action) {
    case "open":
    case "peek":
    case "exclude":
      return view.hasFile;
    case "pin":
      return view.hasFile && !view.pinned;
    case "unpin":
      return view.pinned;
    case "up":
    case "down":
      return view.movable;
    case "leaveOut":
    case "helpful":
    case "unhelpful":
      return !view.omitted;
  }
}

export class Toolbar {
  readonly element: HTMLElement;
  private readonly buttons: readonly (readonly [ButtonAction, HTMLButtonElement])[];

  constructor(
    private readonly say: Say,
    classes: string,
    actions: readonly ButtonAction[],
    act: (action: ButtonAction) => void,
  ) {
    this.buttons = actions.map((action) => {
      const button = iconButton(action, say(action), () => {
        act(action);
      });
      button.tabIndex = -1;
      return [action, button] as const;
    });
    this.element = el("div", classes, { role: "toolbar" }, ...this.buttons.map(([, button]) => button));
  }

  update(view: PlacedItem): void {
    setAttribute(this.element, "aria-label", this.say("actions", view.name));
    for (const [action, button] of this.buttons) {
      setShown(button, allows(view, action));
      const label = this.say(action === "pin" && view.omitted ? "bringIn" : action, view.target);
      setAttribute(button, "aria-label", label);
      setAttribute(button, "title", label);
      if (action === "helpful" || action === "unhelpful") {
        setAttribute(button, "aria-pressed", String(view.helpful === (action === "helpful")));
      }
    }
  }

  /** Only the buttons of the current piece can be reached with Tab: the list as a whole is few stops. */
  setReachable(reachable: boolean): void {
    for (const [, button] of this.buttons) {
      setAttribute(button, "tabindex", reachable ? 0 : -1);
    }
  }
}
