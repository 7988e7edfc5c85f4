// Creation of DOM elements. Texts are set as text, never as HTML.

type Attributes = Readonly<Record<string, string>>;

export function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes,
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** Creates a 24 x 24 icon from one path, in the text colour. */
export function icon(path: string): SVGSVGElement {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  const line = document.createElementNS(space, "path");
  line.setAttribute("d", path);
  svg.append(line);
  return svg;
}

export function button(
  label: string,
  content: Node | string,
  act: () => void,
  classes = "",
): HTMLButtonElement {
  const made = make("button", { type: "button", class: classes, title: label }, content);
  if (typeof content !== "string") made.setAttribute("aria-label", label);
  made.addEventListener("click", act);
  return made;
}

/** Creates a toggle button. */
export function toggle(
  label: string,
  content: Node | string,
  isOn: boolean,
  act: (isOn: boolean) => void,
): HTMLButtonElement {
  const made = button(label, content, () => {
    const on = made.getAttribute("aria-pressed") !== "true";
    made.setAttribute("aria-pressed", String(on));
    act(on);
  });
  made.setAttribute("aria-pressed", String(isOn));
  return made;
}
