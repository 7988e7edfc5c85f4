export function findFirefox(): string | undefined;
export function findEngine(name: "bun" | "deno"): string | undefined;
export function installEngines(): void;
