import { randomInt } from "node:crypto";

/** A planted beneficiary and payer, with texts that occur nowhere else. */
export interface PlantedPerson {
  readonly name: string;
  readonly account: string;
  readonly phone: string;
  readonly userId: string;
  readonly reference: string;
}

/** Invents people. Every text contains a random mark. */
export function inventPeople(count: number): PlantedPerson[] {
  return Array.from({ length: count }, (_, at) => {
    const mark = lettersOf(at * 26 ** 6 + randomInt(26 ** 6));
    const digits = String(randomInt(10 ** 8)).padStart(8, "0");
    return {
      name: `Zubaidah Quill${mark}`,
      account: `7${String(at % 1_000).padStart(3, "0")}${digits}81`,
      phone: `01${String(at % 10)}${digits}`,
      userId: `payer-${mark}-${digits}`,
      reference: `Invoice-${mark}`,
    };
  });
}

function lettersOf(number: number): string {
  let [left, text] = [number, ""];
  for (; text.length < 8; left = Math.floor(left / 26))
    text += String.fromCharCode(97 + (left % 26));
  return text;
}

/** Returns the texts by which a person is searched. */
export const textsOf = ({ name, account, phone, userId, reference }: PlantedPerson): string[] => [
  name,
  account,
  phone,
  userId,
  reference,
];
