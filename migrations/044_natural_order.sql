-- The order of texts in lists: that of the Unicode collation algorithm, where letters come before accents and accents before cases, and digits
-- count as numbers, so that item 2 comes before item 10. Texts that are equal in all of this are in the order of their bytes, so that no
-- two different texts have one place. Indexes on it have names of their own, so those in the former order are not used for it.
create collation gate.natural_order (provider = icu, locale = 'und-u-kn-true');
