import { expect, test } from 'vitest';
import { detectLanguage } from '../../../src/mapping/steps/detect-language.js';

test.each([
  ['cs', 'Velmi příjemný hotel a milý personál.'],
  ['de', 'Sehr freundliches Personal und ein sauberes Zimmer.'],
  ['en', 'Very friendly staff and a clean room.'],
  ['es', 'Personal muy amable y la habitación limpia.'],
  ['fr', 'Personnel très aimable et chambre propre.'],
  ['nl', 'Heel vriendelijk personeel en een schone kamer.'],
  ['pt', 'Funcionários muito simpáticos e quarto limpo.'],
])('a review in %s is recognised', (code, text) => {
  expect(detectLanguage(text)).toBe(code);
});

test.each([
  ['it', 'Camera pulita e personale molto gentile.'],
  ['sv', 'Mycket trevlig personal och rent rum.'],
  ['tr', 'Oda çok temizdi, personel güler yüzlüydü.'],
])('a review in another language (%s) is given its own code', (code, text) => {
  expect(detectLanguage(text)).toBe(code);
});

test.each(['', '👍👍👍', '5/5', 'ok', 'https://www.example.com/es/hotel-bueno'])(
  '%j tells no language',
  (text) => {
    expect(detectLanguage(text)).toBeUndefined();
  },
);
