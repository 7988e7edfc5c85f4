export function findExecutable(
  variable: string,
  names: readonly string[],
  folders: readonly string[],
): string | undefined;
