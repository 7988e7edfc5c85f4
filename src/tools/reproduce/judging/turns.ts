/** Lets others have a turn: promises alone do not let timers and signals through. */
export function turnOfOthers(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve);
  });
}
