// What a campaign's page does: a case that is chosen in one picture shows in all, with its numbers and the way to its report. This
// function goes into the page as text: it uses nothing from outside.

/** Runs in the page. */
export function pageHands(): void {
  interface Data {
    readonly names: readonly string[];
    readonly rows: readonly (readonly [number, string, boolean, ...(number | null)[]])[];
    readonly command: string;
  }
  const data = JSON.parse(document.getElementById("data")!.textContent!) as Data;
  const panel = document.getElementById("case")!;
  let chosen: number | undefined;

  const mark = (row: number | undefined, name: string, isOn: boolean) => {
    if (row === undefined) return;
    for (const element of document.querySelectorAll(`[data-row="${row}"]`)) {
      element.classList.toggle(name, isOn);
      // What is drawn last lies on top.
      if (isOn && element instanceof SVGElement) element.parentNode?.append(element);
    }
  };
  const line = (tag: string, text: string) => {
    const element = document.createElement(tag);
    element.textContent = text;
    return element;
  };
  const show = (row: number) => {
    mark(chosen, "chosen", false);
    chosen = row;
    mark(row, "chosen", true);
    const [index, id, hasReport, ...values] = data.rows[row]!;
    const list = document.createElement("dl");
    data.names.forEach((name, i) => {
      const value = values[i];
      const pair = document.createElement("div");
      pair.append(
        line("dt", name),
        line(
          "dd",
          value === null || value === undefined ? "–" : String(Number(value.toPrecision(6))),
        ),
      );
      list.append(pair);
    });
    const heading = line("h3", `Case ${index}`);
    const close = line("button", "✕");
    close.setAttribute("aria-label", "Close");
    close.addEventListener("click", () => {
      mark(chosen, "chosen", false);
      chosen = undefined;
      panel.hidden = true;
    });
    heading.append(close);
    const way = document.createElement("p");
    const command = line("code", `${data.command} --case ${index}`);
    if (hasReport) {
      const link = line("a", "Open its report");
      link.setAttribute("href", `cases/${id}/report.html`);
      way.append(link);
    } else way.append("Report: ", command);
    panel.replaceChildren(heading, list, way);
    panel.hidden = false;
  };
  const rowOf = (event: Event) => {
    const element = (event.target as Element).closest?.("[data-row]");
    return element ? Number(element.getAttribute("data-row")) : undefined;
  };
  let over: number | undefined;
  document.addEventListener("pointerover", (event) => {
    const row = rowOf(event);
    if (row === over) return;
    mark(over, "over", false);
    over = row;
    mark(over, "over", true);
  });
  document.addEventListener("click", (event) => {
    const row = rowOf(event);
    if (row !== undefined) show(row);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") panel.hidden = true;
    if (event.key !== "Enter") return;
    const row = rowOf(event);
    if (row !== undefined) show(row);
  });
}
