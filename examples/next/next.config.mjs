/** @type {import('next').NextConfig} */
export default {
  // The BFF starts child processes and reads files beside its own, so it must stay in node_modules.
  serverExternalPackages: ['funding-application-bff'],
  poweredByHeader: false,
};
