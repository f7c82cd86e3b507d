import { expect, test } from "vitest";
import { checkPassword } from "#flows/people/password-check.ts";
import { OTHER, PASSWORD } from "../../support/actions/people.ts";

const USER = { email: "rosalind.quimby@example.test", name: "Rosalind Quimby" };

test.each([
  "qwertyuiopasdfg",
  "1qaz2wsx3edc4rfv",
  "1qaz2wsx3edc4rfv5tgb",
  "zaq12wsxcde34rfv",
  "1q2w3e4r5t6y7u8i9o",
  "123qweasdzxc123",
  "qwerty123456789",
  "iloveyouforever",
  "Summer2026!Summer2026!",
  "dragonball123456",
  "P@ssw0rdP@ssw0rd",
  "thisismypassword",
  "JohnSmith19801201",
])("refuses an easily guessed password: %s", async (password) => {
  expect(await checkPassword(password, USER)).toBe("too_common");
});

test("refuses a password built from personal data or from payrun's name", async () => {
  for (const password of ["RosalindQuimby2026", "Rosalind2026Quimby", "payrunpayrun1234"])
    expect([password, await checkPassword(password, USER)]).toEqual([password, expect.any(String)]);
});

test.each([
  PASSWORD,
  OTHER,
  "tR9!kq2#Lm7$vX0z",
  "xq7f2k9d1m3v8b5",
  "neben dem Haus steht",
  "brass otter ladder",
])("accepts a password that is hard to guess: %s", async (password) => {
  expect(await checkPassword(password, USER)).toBeNull();
});

test("keeps the server responsive while checking the longest password", async () => {
  let ticks = 0;
  const timer = setInterval(() => (ticks += 1), 10);
  await checkPassword("zaq1xsw2".repeat(16), USER);
  const startedMs = performance.now();
  ticks = 0;
  await checkPassword("1qaz2wsx".repeat(16), USER);
  clearInterval(timer);
  const tookMs = performance.now() - startedMs;
  expect(ticks).toBeGreaterThanOrEqual(Math.floor(tookMs / 100));
});
