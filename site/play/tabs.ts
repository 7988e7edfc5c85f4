// Tabs: one panel is visible at a time; arrow keys move between tabs.

export function tabs(names: readonly string[]): void {
  const all = names.map((name) => ({
    tab: document.getElementById(`tab-${name}`) as HTMLElement,
    panel: document.getElementById(`${name}-panel`) as HTMLElement,
  }));
  const choose = (index: number) => {
    for (const [i, { tab, panel }] of all.entries()) {
      tab.setAttribute("aria-selected", String(i === index));
      tab.tabIndex = i === index ? 0 : -1;
      panel.hidden = i !== index;
    }
  };
  for (const [i, { tab }] of all.entries()) {
    tab.addEventListener("click", () => choose(i));
    tab.addEventListener("keydown", ({ key }) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
      if (step === undefined) return;
      const next = (i + step + all.length) % all.length;
      choose(next);
      all[next]!.tab.focus();
    });
  }
}
