// Files that are dropped on the page; a sign says so while one is held over it.

export function takeDrops(sign: HTMLElement, taken: (file: File | undefined) => void): void {
  addEventListener("dragover", (event) => {
    event.preventDefault();
    sign.hidden = false;
  });
  addEventListener("dragleave", (event) => {
    if (event.relatedTarget === null) sign.hidden = true;
  });
  addEventListener("drop", (event) => {
    event.preventDefault();
    sign.hidden = true;
    taken(event.dataTransfer?.files[0]);
  });
}
