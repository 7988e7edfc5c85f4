import type { Group } from "./stamps.mjs";

export declare const groups: readonly Group[];
export declare const sets: Readonly<Record<string, readonly string[]>>;
