import { expect, test } from "vitest";
import { CARRIED_BY_ALL, NOT_RAW, RAW_SIGN, RAW_SIGNS } from "#payout/rules/layout-limits.ts";

test("agrees for every character on what is shown, refused and accepted", () => {
  for (let code = 0; code < 0x100; code++) {
    const char = String.fromCharCode(code);
    const isSign = char !== " " && RAW_SIGNS.includes(char);
    const isPrintable = code >= 0x20 && code < 0x7f;
    const isControl = code < 0x20 || (code >= 0x7f && code < 0xa0);
    expect([char, RAW_SIGN.test(char)]).toEqual([char, isSign]);
    expect([char, NOT_RAW.test(char)]).toEqual([char, isSign || isControl]);
    expect([char, CARRIED_BY_ALL.test(char)]).toEqual([char, isPrintable && !isSign]);
  }
});
