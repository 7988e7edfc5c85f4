/** What the build makes together. */
export interface Group {
  readonly name: string;
  /** Groups whose results it reads. */
  readonly after: readonly string[];
  inputs(): string[];
  readonly settings?: unknown;
  outputs(): string[];
}

export declare function isStale(group: Group): boolean;
export declare function forget(group: Group): void;
export declare function remember(group: Group): void;
