/**
 * Seconds of CPU that a call takes, in this process alone: what others do on the machine counts as little as can
 * be.
 */
export function cpuSeconds(run: () => unknown): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}
