/** Which solver factored last and at which state, and whether later states keep that factor. */
export interface FactorSlot {
  owner: object | undefined;
  generation: number;
  isKept: boolean;
}
