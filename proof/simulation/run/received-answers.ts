import type { Tables } from "#proof/simulation/ledger/tables.ts";
import type { SimProcess } from "#proof/simulation/world/process.ts";

/** Answers to payouts that reached a process. */
export class ReceivedAnswers {
  readonly #answers: { readonly code: string; readonly life: SimProcess }[] = [];

  add(code: string, proc: SimProcess): void {
    this.#answers.push({ code, life: proc });
  }

  /**
   * Every answer that a process received must be stored, even when it came too late to count. Calls
   * `fail` for each code where one is missing.
   */
  end({ byCode }: Tables, fail: (what: string) => void): void {
    const heard = new Map<string, number>();
    for (const { code, life: proc } of this.#answers) {
      if (proc.isAlive) heard.set(code, (heard.get(code) ?? 0) + 1);
    }
    for (const [code, count] of heard) {
      const kept = byCode.get(code)?.evidence.filter(({ kind }) => kind === "answer");
      if ((kept?.length ?? 0) < count) {
        fail(`${count} answers about ${code} were heard, ${kept?.length} are kept`);
      }
    }
  }
}
