/** @type {import('next').NextConfig} */
export default {
  // The BFF starts child processes and reads files beside its own: keep it in node_modules.
  serverExternalPackages: ['funding-application-bff'],
  poweredByHeader: false,
};
