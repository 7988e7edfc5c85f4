// Download menu; closes after a choice, on Escape, and on a click elsewhere.

export type Format = "model" | "csv" | "html";

export function downloadMenu(menu: HTMLDetailsElement, chosen: (format: Format) => void): void {
  const close = () => {
    menu.open = false;
  };
  addEventListener("click", ({ target }) => {
    if (!menu.contains(target as Node)) close();
  });
  menu.addEventListener("keydown", ({ key }) => {
    if (key !== "Escape" || !menu.open) return;
    close();
    menu.querySelector("summary")?.focus();
  });
  menu.addEventListener("click", ({ target }) => {
    const format = (target as HTMLElement).dataset.file as Format | undefined;
    if (format === undefined) return;
    close();
    chosen(format);
  });
}
