import type { Options } from "minisearch";

export const SEARCH_OPTIONS: Options;
