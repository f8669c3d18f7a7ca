/** The context panel's page. */
export {};
