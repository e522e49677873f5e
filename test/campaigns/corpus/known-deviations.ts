// Files whose verdict deviates from the expected one, with the reason. The campaign fails on any other deviation, and on a file
// that no longer deviates, so that an upgrade of a library requires a change here.

/** By the hash of the file. Most are broken files from the tests of a library. */
export const knownDeviations: ReadonlyMap<string, string> = new Map([
  [
    '1b2290fda39d79506e2cc104199bda3a5fb1a38bbf67e213778e0fc3b83fa2a4',
    'both libraries open it, poppler and MuPDF do not',
  ],
  [
    '38caddee94f73206adf4a329e17f7631a3aeb0d8d169fc7be4e34412c09600e2',
    'both libraries open it, poppler and MuPDF do not',
  ],
  [
    '48650946b6037581b3fb8b399c82c6669557b599b917153edfc5d4a3d9b155bc',
    'both libraries open it, poppler and MuPDF do not',
  ],
  [
    '6fd5c3e66fc2fabc8e9c108d7d89dc5da9540b51ff517cd9c8c7f1007a3f09ae',
    'both libraries open it, poppler and MuPDF do not',
  ],
  [
    'c711bb3357eccec499968ac7b4e286ebd3f49910b458b0596d81731c890eedb6',
    'both libraries open it, poppler and MuPDF do not',
  ],
  [
    'c88761ef6acf40775ec1a4785eedc02fb3ae3a6413084eec148f3cf0b4bda447',
    'both libraries open it, poppler and MuPDF do not',
  ],
  [
    '20bd7f9073fa2dfc4fc3adeb5899538efa7ebe38074534e800a07c696e5c2852',
    'both libraries open it, poppler and MuPDF do not',
  ],
  [
    '6fbee0a04d09b01ce693d5a8a5a2c774db9367ffef99f38eb5a66e4ee94636e8',
    'both libraries open it, poppler and MuPDF do not',
  ],
  [
    '1432b1a67293eff339ed942bd8b2791c89c3269d6f190004be296840837ba624',
    'strict: @libpdf/core finds no page with its cross-reference table',
  ],
  [
    '1f96c8d14a61419a1f2ada99d159bc4114832ae9c9d29b33c3ab7f6f9042bcc7',
    'strict: @libpdf/core does not read cross-reference fields of eight bytes',
  ],
  [
    '20b8c82a362269f7a82d8bbcfa2fadcccf279df8bcffc95e83d1ea620e0bef86',
    'strict: @libpdf/core does not read cross-reference fields of eight bytes',
  ],
  [
    '64e0c1c694d516915301ddc38e0fda07c51d4777ec2bd891d93768eaea90a7af',
    'strict: @libpdf/core does not read cross-reference fields of eight bytes',
  ],
  [
    '2d36b560f94c530e5a64915f49443c0f9ba677ecd6b87bcd6dcac8158b2a8c29',
    'strict: @libpdf/core does not read cross-reference fields of eight bytes',
  ],
  [
    '49a0cc91571401b17e2855ada2a2413fabc3338f10cac4b51611ee6f5eb5b9c3',
    'strict: @libpdf/core reads a broken dictionary only when it repairs',
  ],
  [
    '5492c01fd472a7b5b35fb03bc20b2afeb136722193e1c78fbceb84f0c84f5643',
    'strict: qpdf repairs it, @libpdf/core reads it as it is',
  ],
  [
    '546c5b969c38031d63594d3fe0fd8fab8a9d21f37991fa1a0828df9b6831586b',
    'encrypted without a file identifier, which both libraries need',
  ],
  [
    '338dc8e82430d3fe7927d529d389969beff69323a402a080fa81ddd3ce678eee',
    'encrypted without a file identifier, which both libraries need',
  ],
  [
    'a371f085237534ea37832bcccbf7bb0dcf5132e3305067c1d0f9e8dd438c8afe',
    'AES without a key length in the encryption dictionary, which @libpdf/core needs',
  ],
  [
    '3c40923beaa848f1d5995e7dc37fe249a69e5f9209bc23f5bed0215d45594ac2',
    'has no cross-reference table, so it counts as truncated',
  ],
  [
    '3e32c1a662d80691c7cfc811267682fb75aa48e0dad4d831bfa73c2a6005389e',
    '@cantoo/pdf-lib does not read its trailer',
  ],
  [
    '2ab317f654017bae9b23ea5e1f3e82b6ada7aaa4f8c3b1f7b997c942693eeb4d',
    '@libpdf/core finds no page',
  ],
  [
    '758866a2bfd5f9486bc979276cd16182aec10645b9384be84aa55734a2760476',
    '@libpdf/core does not find its cross-reference table',
  ],
  [
    '2883b380c36396ac692a2afe6cfcd8cbfe0eb820ab52eeaaff8fe6195c26f552',
    '@cantoo/pdf-lib does not read one of its objects',
  ],
  [
    '40a5a310ed3abff8c69b1c0d6a2bb4bcf66cae563b2ec7e71a3e212184f4e25e',
    '@cantoo/pdf-lib does not read its trailer',
  ],
  [
    '73c6cf9c9e34fd0e18a845d57a9eac7077916d2b569f2e0499a158ad05b17a9d',
    '@cantoo/pdf-lib does not read its trailer',
  ],
  [
    '71e388e8bb3b0aa5b7f4480bbccaa38eaf9addce4ad2d31d9b7daed97481f26b',
    '@libpdf/core does not find its catalog',
  ],
  [
    'd1f218cb3cbfab5e39aaac7c94e69f25fed8ca1794f947d6e4881aa7c2844991',
    'the header begins after the first 1,024 bytes',
  ],
]);
