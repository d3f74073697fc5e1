import { expect, it } from "vitest";
import { editDistance, foldText, nearText } from "../../curation/near-text.ts";

const VALUES = ["Summer", "Year round", "Café 7", "The Winter Tale", "07:30"];

it.each([
  ["summer", { text: "Summer", difference: "spelling" }],
  ["Year-Round", { text: "Year round", difference: "spelling" }],
  ["cafe 07", { text: "Café 7", difference: "spelling" }],
  ["7:30", { text: "07:30", difference: "spelling" }],
  ["Sumer", { text: "Summer", difference: "near" }],
  ["Winter Tale", { text: "The Winter Tale", difference: "near" }],
  ["Autumn", null],
  ["", null],
])("%j is near %j", (wanted, near) => {
  expect(nearText(wanted, VALUES)).toEqual(near);
});

it("numbers are not near each other", () => {
  expect(nearText("1999", ["1998", "19990"])).toBeNull();
});

it("folds case, accents, signs and leading zeros", () => {
  expect(foldText(" Él-Nino 007 ")).toBe("elnino7");
});

it("counts letters to change", () => {
  expect(editDistance("kitten", "sitting")).toBe(3);
});
