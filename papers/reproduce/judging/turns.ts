/** Yields to other tasks: promises alone do not let timers and signals run. */
export function yieldToOthers(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve);
  });
}
