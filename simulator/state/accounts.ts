import { scaled, unscaled } from "./transaction-log.ts";

/** Initial balance that an account without a limit shows. */
const ENDLESS = scaled("1000000000");

/** The merchants' money at the gateway, one account per currency, scaled to eight decimals. */
export class Accounts {
  readonly #left = new Map<string, bigint>();
  readonly #moved = new Map<string, bigint>();

  constructor(limits: Readonly<Record<string, string>>) {
    this.set(limits);
  }

  /** Decimal amounts by currency. A currency that is not listed has no limit. */
  set(limits: Readonly<Record<string, string>>): void {
    for (const [currency, amount] of Object.entries(limits)) {
      this.#left.set(currency, scaled(amount));
      this.#moved.delete(currency);
    }
  }

  covers(currency: string, amount: string): boolean {
    const left = this.#left.get(currency);
    return left === undefined || left + (this.#moved.get(currency) ?? 0n) >= scaled(amount);
  }

  take(currency: string, amount: string): void {
    this.#move(currency, -scaled(amount));
  }

  give(currency: string, amount: string): void {
    this.#move(currency, scaled(amount));
  }

  /** With three decimals, as newer answers write it (docs/reference/gateway.md section 10). */
  shown(currency: string): string {
    const total = (this.#left.get(currency) ?? ENDLESS) + (this.#moved.get(currency) ?? 0n);
    const [whole = "", fraction = ""] = unscaled(total).split(".");
    return `${whole}.${fraction.slice(0, 3).padEnd(3, "0")}`;
  }

  #move(currency: string, by: bigint): void {
    this.#moved.set(currency, (this.#moved.get(currency) ?? 0n) + by);
  }
}
