// How large a picture may be once it is unpacked.

/** Telephones take up to 50 million at best and 12 by default; a page scanned at 600 dots an inch has 34. */
export const maxPixels = 40_000_000;
