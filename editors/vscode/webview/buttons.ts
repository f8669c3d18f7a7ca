/** Buttons of the page. */
import { el } from "./dom";
import { icon, type IconName } from "./icons";

export function iconButton(name: IconName, label: string, act: () => void): HTMLButtonElement {
  const button = el("button", "icon-button", { type: "button", title: label, "aria-label": label }, icon(name));
  button.addEventListener("click", (event) => {
    event.stopPropagation();
    act();
  });
  return button;
}

export function textButton(classes: string, label: string, act: () => void): HTMLButtonElement {
  const button = el("button", classes, { type: "button" }, label);
  button.addEventListener("click", act);
  return button;
}
