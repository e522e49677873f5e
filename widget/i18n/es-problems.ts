// The Spanish texts of problems. The keys stand in the order of the English catalog.

import type { enProblems } from './en-problems.ts';

export const esProblems = {
  'problem.submit-unanswered':
    'No pudimos confirmar que su solicitud llegó. Sus respuestas siguen aquí. Cuando tenga conexión, seleccione “Enviar solicitud” otra vez. No se enviará dos veces.',
  'problem.offline':
    'No tenía conexión, así que no se envió nada. Sus respuestas siguen aquí. Cuando vuelva a tener conexión, seleccione “Enviar solicitud” otra vez.',
  'problem.session-refused':
    'No pudimos iniciar una sesión en este navegador, así que no se envió nada. Sus respuestas siguen aquí. Seleccione “Enviar solicitud” otra vez. Si no funciona, permita las cookies de este sitio.',
  'problem.rejected-earlier':
    'El prestamista no pudo procesar la solicitud que envió antes. Revísela una vez más y envíela de nuevo.',
  'problem.network':
    'No pudimos comunicarnos con nuestro servidor. Revise su conexión e inténtelo de nuevo.',
  'problem.page-outdated':
    'Esta página no está actualizada. Recárguela para continuar. Si vuelve a ver este mensaje, avise al propietario de este sitio web.',
  'problem.origin-refused':
    'Este formulario no está bien configurado en este sitio web. Avise al propietario del sitio.',
  'problem.header-missing':
    'Este formulario no está bien configurado en este sitio web. Avise al propietario del sitio.',
  'problem.not-found': 'Esta página no está actualizada. Recárguela e inténtelo de nuevo.',
  'problem.method-not-allowed': 'Esta página no está actualizada. Recárguela e inténtelo de nuevo.',
  'problem.unsupported-media-type':
    'Esta página no está actualizada. Recárguela e inténtelo de nuevo.',
  'problem.too-large':
    'Sus respuestas son demasiado largas para enviarlas. Acórtelas e inténtelo de nuevo.',
  'problem.invalid-request':
    'No pudimos usar algunas de sus respuestas. Revíselas e inténtelo de nuevo.',
  'problem.session-missing':
    'Su sesión ha terminado. No se ha perdido nada de lo que envió, pero ya no puede verlo aquí ni agregar nada.',
  'problem.too-many-requests':
    'Hubo demasiados intentos en poco tiempo. Espere un minuto e inténtelo de nuevo. No se ha perdido nada de lo que escribió.',
  'problem.too-many-requests.long':
    'Hubo demasiados intentos en poco tiempo. Inténtelo de nuevo en unos {minutes} minutos. No se ha perdido nada de lo que escribió.',
  'problem.too-busy':
    'En este momento hay mucha actividad. Espere un poco e inténtelo de nuevo. No se ha perdido nada de lo que escribió.',
  'problem.too-soon':
    'Fue más rápido de lo que esperábamos. Espere unos segundos y envíe su solicitud de nuevo.',
  'problem.automation-suspected':
    'Algo llenó un campo oculto, quizás una extensión del navegador. Ya lo vaciamos. Envíe su solicitud de nuevo.',
  'problem.challenge-required':
    'No pudimos confirmar que usted no es un robot. Complete la verificación y envíe su solicitud de nuevo.',
  'problem.challenge-not-offered':
    'Este sitio web no pudo comprobar que usted no es un robot, así que no se envió nada. Avise al propietario del sitio.',
  'problem.challenge-unavailable':
    'En este momento no podemos comprobar que usted no es un robot, así que no se envió nada. Sus respuestas siguen aquí. Inténtelo de nuevo en unos minutos.',
  'problem.idempotency-key-missing':
    'Esta página no pudo enviar sus respuestas. Recárguela e inténtelo de nuevo.',
  'problem.idempotency-key-reused':
    'Sus respuestas cambiaron después de que las envió. Revíselas y envíe su solicitud de nuevo.',
  'problem.application-exists':
    'Ya envió una solicitud desde este navegador. La puede ver abajo. Lo que escribió desde entonces no se envió.',
  'problem.application-missing':
    'Su sesión ha terminado. No se ha perdido nada de lo que envió, pero ya no puede verlo aquí ni agregar nada.',
  'problem.application-rejected':
    'El prestamista no pudo procesar su solicitud. Sus respuestas siguen aquí. Revíselas y envíe la solicitud de nuevo.',
  'problem.consent-required':
    'Falta un consentimiento o su texto cambió. Léalo y marque la casilla de nuevo.',
  'problem.service-unavailable':
    'El sistema del prestamista no responde en este momento. No se ha perdido nada de lo que envió. Inténtelo de nuevo en unos minutos.',
  'problem.storage-unavailable':
    'En este momento nuestro sistema no puede guardar nada, así que no se envió nada nuevo. No se ha perdido nada de lo que escribió. Inténtelo de nuevo en unos minutos.',
  'problem.internal': 'Algo falló de nuestra parte. Inténtelo de nuevo en unos minutos.',
} as const satisfies Record<keyof typeof enProblems, string>;
