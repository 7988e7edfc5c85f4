import type { Address } from "./address.js";
import type { Store } from "./store.js";
import { postgresStore } from "./store-postgres.js";
import { redisStore } from "./store-redis.js";

/** Opens the store of a server. */
export function openStore(address: Address, tell: (message: string) => void): Promise<Store> {
  return address.kind === "redis" ? redisStore(address, tell) : postgresStore(address, tell);
}
