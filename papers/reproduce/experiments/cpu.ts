interface Usage {
  readonly user: number;
  readonly system: number;
}

/** The part of Node used here, which is absent in a page. */
interface Host {
  readonly process?: { cpuUsage?(before?: Usage): Usage };
}

/**
 * CPU time of a call in seconds, of this process alone, so that other load on the machine counts as
 * little as possible. In a page, which cannot measure it, elapsed seconds.
 */
export function cpuSeconds(run: () => unknown): number {
  const { process } = globalThis as Host;
  if (!process?.cpuUsage) {
    const before = performance.now();
    run();
    return (performance.now() - before) / 1000;
  }
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}
