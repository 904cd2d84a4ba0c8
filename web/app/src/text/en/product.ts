/** The texts of imports from other products, and of NocoDB and Baserow. */
export const product = {
  open: "Import from NocoDB or Baserow",
  title: "Import from NocoDB or Baserow",
  againTitle: "Import the changes",
  intro: "Tables, records, links, files and the formulas that have a counterpart come into a new base.",
  againIntro: "What is new or has changed there comes into this base. What was changed here stays as it is.",
  help: "What comes, and what does not",
  product: "Product",
  name: { nocodb: "NocoDB", baserow: "Baserow" },
  base: { nocodb: "Id of the base", baserow: "Id of the database" },
  baseHint: {
    nocodb: "It begins with p, and is in the address of the base.",
    baserow: "The number after “database” in the address of its pages.",
  },
  token: { nocodb: "API token", baserow: "Database token" },
  tokenFate: "It is kept encrypted while the import runs, and deleted when it ends.",
  address: "Address of your installation",
  addressHint: "Leave it empty for the service of the product's maker.",
  begin: "Import",
  begun: "The import has begun",
  begunDetail: "It goes on when you close the page. Its report will be in the list of imports and exports.",
  back: "Back",
};
