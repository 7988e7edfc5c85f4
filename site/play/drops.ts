// Files dropped on the page; a hint is shown while one is dragged over it.

export function handleDrops(sign: HTMLElement, taken: (file: File | undefined) => void): void {
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
