// The Spanish sentences of what did not work; in the order of the English ones.

import type { enProblems } from './en-problems.ts';

export const esProblems = {
  'problem.submit-unanswered':
    'No pudimos comunicarnos con nuestro servidor, o no nos llegó lo que contestó. Sus respuestas siguen aquí. Presione “Enviar solicitud” otra vez cuando tenga conexión: no se presentará dos veces.',
  'problem.offline':
    'Este dispositivo no tenía conexión, así que no se ha enviado nada. Sus respuestas siguen aquí. Presione “Enviar solicitud” otra vez cuando tenga conexión.',
  'problem.session-refused':
    'No pudimos iniciar una sesión con este navegador, así que no se ha enviado nada. Sus respuestas siguen aquí. Presione “Enviar solicitud” otra vez; si no funciona, permita primero las cookies de este sitio.',
  'problem.rejected-earlier':
    'El prestamista no pudo procesar la solicitud que envió antes. Revísela una vez más y envíela de nuevo.',
  'problem.network':
    'No pudimos comunicarnos con nuestro servidor. Revise su conexión e inténtelo de nuevo.',
  'problem.origin-refused':
    'Esta página no tiene permiso para usar la solicitud. Avise al propietario de este sitio web.',
  'problem.header-missing':
    'Esta página no pudo enviar sus respuestas. Avise al propietario de este sitio web.',
  'problem.not-found':
    'Esta página y nuestro servidor no son compatibles. Recargue la página e inténtelo de nuevo.',
  'problem.method-not-allowed':
    'Esta página y nuestro servidor no son compatibles. Recargue la página e inténtelo de nuevo.',
  'problem.unsupported-media-type':
    'Esta página y nuestro servidor no son compatibles. Recargue la página e inténtelo de nuevo.',
  'problem.too-large': 'Lo que envió es más grande de lo que podemos recibir.',
  'problem.invalid-request':
    'Algunas respuestas no se pudieron usar. Revíselas e inténtelo de nuevo.',
  'problem.session-missing':
    'Esta sesión ha terminado. Lo que envió está a salvo con nosotros, pero aquí ya no se puede mostrar ni se le puede agregar nada.',
  'problem.too-many-requests':
    'Hubo muchos intentos en poco tiempo. Espere un minuto e inténtelo de nuevo. No se ha perdido nada de lo que escribió.',
  'problem.too-many-requests.long':
    'Hubo muchos intentos en poco tiempo. Inténtelo de nuevo en unos {minutes} minutos. No se ha perdido nada de lo que escribió.',
  'problem.too-busy':
    'Muchas personas están enviando solicitudes en este momento. Espere un poco e inténtelo de nuevo. No se ha perdido nada de lo que escribió.',
  'problem.too-soon': 'Eso fue muy rápido. Espere unos segundos y envíe su solicitud de nuevo.',
  'problem.automation-suspected':
    'Algo llenó un campo que nadie puede ver, quizás una extensión del navegador. Lo vaciamos; envíe su solicitud de nuevo.',
  'problem.challenge-required':
    'No pudimos comprobar que esto lo envía una persona. Resuelva la verificación otra vez y envíe su solicitud.',
  'problem.challenge-not-offered':
    'Esta página no pudo comprobar que esto lo envía una persona, así que no se envió nada. Avise al propietario de este sitio web.',
  'problem.challenge-unavailable':
    'En este momento no podemos comprobar que esto lo envía una persona, así que no se envió nada. No se ha perdido nada de lo que escribió. Inténtelo de nuevo en un rato.',
  'problem.idempotency-key-missing':
    'Esta página no pudo enviar sus respuestas. Recargue la página e inténtelo de nuevo.',
  'problem.idempotency-key-reused':
    'Sus respuestas han cambiado desde que las envió. Revíselas y envíelas de nuevo.',
  'problem.application-exists':
    'Ya había enviado una solicitud desde este navegador: la que ve abajo. Lo que escribió en esta página desde entonces no se envió.',
  'problem.application-missing':
    'Esta sesión ha terminado. Lo que envió está a salvo con nosotros, pero aquí ya no se puede mostrar ni se le puede agregar nada.',
  'problem.application-rejected':
    'El prestamista no pudo procesar la solicitud tal como está. No se ha perdido nada de lo que escribió. Revise sus respuestas y envíela de nuevo.',
  'problem.consent-required':
    'Falta un consentimiento o su texto ha cambiado. Léalo y márquelo de nuevo.',
  'problem.service-unavailable':
    'El sistema del prestamista no responde en este momento. No se ha perdido nada de lo que entregó. Inténtelo de nuevo en un rato.',
  'problem.storage-unavailable':
    'En este momento no podemos guardar nada de forma segura, así que no se envió nada. Lo que escribió sigue aquí. Inténtelo de nuevo en un rato.',
  'problem.internal': 'Algo falló de nuestra parte. Inténtelo de nuevo en un rato.',
} as const satisfies Record<keyof typeof enProblems, string>;
