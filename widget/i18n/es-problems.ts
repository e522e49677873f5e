// The Spanish sentences of what did not work; in the order of the English ones.

import type { enProblems } from './en-problems.ts';

export const esProblems = {
  'problem.submit-unanswered':
    'No pudimos comunicarnos con nuestro servidor, o se perdió su respuesta. Lo que escribió sigue aquí. Presione “Enviar solicitud” otra vez cuando tenga conexión: no se puede presentar dos veces.',
  'problem.offline':
    'Este dispositivo no tenía conexión, así que no se ha enviado nada. Lo que escribió sigue aquí. Presione “Enviar solicitud” otra vez cuando tenga conexión.',
  'problem.already-sent':
    'Su solicitud ya se envió. Aquí ya no se puede cambiar, y nada se envía dos veces.',
  'problem.session-refused':
    'No pudimos iniciar una sesión con este navegador, así que no se ha enviado nada. Lo que escribió sigue aquí. Presione “Enviar solicitud” otra vez; si eso no ayuda, permita primero las cookies de este sitio.',
  'problem.rejected-with-documents':
    'El prestamista no pudo aceptar la solicitud tal como está. No se ha perdido nada de lo que escribió: revise sus respuestas y envíela de nuevo. Los documentos y el informe bancario iban con ella, y después habrá que entregarlos otra vez.',
  'problem.rejected-earlier':
    'El prestamista no pudo aceptar la solicitud que envió antes. Revísela una vez más y envíela de nuevo.',
  'problem.network':
    'No pudimos comunicarnos con nuestro servidor. Revise su conexión e inténtelo de nuevo.',
  'problem.origin-refused':
    'Esta página no tiene permiso para usar la solicitud. Avise al propietario de este sitio web.',
  'problem.header-missing':
    'Esta página no pudo enviar sus respuestas. Avise al propietario de este sitio web.',
  'problem.not-found':
    'Esta página y nuestro servidor no concuerdan. Vuelva a cargar la página e inténtelo de nuevo.',
  'problem.method-not-allowed':
    'Esta página y nuestro servidor no concuerdan. Vuelva a cargar la página e inténtelo de nuevo.',
  'problem.unsupported-media-type':
    'Esta página y nuestro servidor no concuerdan. Vuelva a cargar la página e inténtelo de nuevo.',
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
    'Muchas personas están enviando solicitudes en este momento. Espere un momento e inténtelo de nuevo. No se ha perdido nada de lo que escribió.',
  'problem.too-soon': 'Eso fue muy rápido. Espere unos segundos y envíela de nuevo.',
  'problem.automation-suspected':
    'Algo llenó un campo que nadie puede ver, quizás una extensión del navegador. Lo hemos vaciado; envíe su solicitud de nuevo.',
  'problem.challenge-required':
    'No pudimos comprobar que una persona envía esto. Resuelva la verificación otra vez y envíe su solicitud.',
  'problem.challenge-not-offered':
    'Esta página no pudo comprobar que una persona envía esto, así que no se envió nada. Avise al propietario de este sitio web.',
  'problem.challenge-unavailable':
    'En este momento no podemos comprobar que una persona envía esto, así que no se envió nada. No se ha perdido nada de lo que escribió. Inténtelo de nuevo en un rato.',
  'problem.idempotency-key-missing':
    'Esta página no pudo enviar sus respuestas. Vuelva a cargar la página e inténtelo de nuevo.',
  'problem.idempotency-key-reused':
    'Sus respuestas han cambiado desde que las envió. Revíselas y envíelas de nuevo.',
  'problem.application-exists':
    'Ya había enviado una solicitud desde este navegador: la que ve abajo. Lo que escribió en esta página desde entonces no se envió.',
  'problem.application-missing':
    'Esta sesión ha terminado. Lo que envió está a salvo con nosotros, pero aquí ya no se puede mostrar ni se le puede agregar nada.',
  'problem.application-pending':
    'El prestamista todavía no tiene su solicitud. Se la estamos entregando; inténtelo de nuevo en un momento.',
  'problem.application-rejected':
    'El prestamista no pudo aceptar la solicitud tal como está. No se ha perdido nada de lo que escribió. Revise sus respuestas y envíela de nuevo.',
  'problem.consent-required':
    'Falta un consentimiento o su texto ha cambiado. Léalo y márquelo de nuevo.',
  'problem.service-refused':
    'Hay un problema entre nosotros y el prestamista. No se ha perdido nada de lo que entregó, y no necesita enviarlo de nuevo.',
  'problem.service-unavailable':
    'El sistema del prestamista no responde en este momento. No se ha perdido nada de lo que entregó. Inténtelo de nuevo en un rato.',
  'problem.storage-unavailable':
    'En este momento no podemos guardar nada de forma segura, así que no se envió nada. Lo que escribió sigue aquí. Inténtelo de nuevo en un rato.',
  'problem.internal': 'Algo falló de nuestro lado. Inténtelo de nuevo en un rato.',
} as const satisfies Record<keyof typeof enProblems, string>;
