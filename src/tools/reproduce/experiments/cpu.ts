interface Usage {
  readonly user: number;
  readonly system: number;
}

/** What is asked of Node; a page has no such thing. */
interface Host {
  readonly process?: { cpuUsage?(before?: Usage): Usage };
}

/**
 * Seconds of CPU that a call takes, in this process alone: what others do on the machine counts as
 * little as can be. In a page, where nobody tells, seconds.
 *
 * @example
 * const seconds = cpuSeconds(() => solve(system, { span: [0, 1] }));
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
