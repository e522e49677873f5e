// The Spanish sentences of what comes after the application was sent; in the order of the English ones.

import type { enAfter } from './en-after.ts';

export const esAfter = {
  'submitted.accepted.title': 'Su solicitud ha sido enviada',
  'submitted.accepted.text':
    'El prestamista ya la tiene. Guarde esta referencia: es la forma más rápida de encontrar su solicitud.',
  'submitted.received.text':
    'Está guardada de forma segura y se la estamos entregando al prestamista. Suele tardar unos segundos.',
  'submitted.delayed.text':
    'Está guardada de forma segura, pero el sistema del prestamista todavía no la ha recibido. Nos estamos ocupando de ello. No necesita enviarla de nuevo.',
  'submitted.confirming.text':
    'Está guardada de forma segura. Nos estamos asegurando de que el prestamista la tenga, lo que puede tardar un poco más. No necesita enviarla de nuevo.',
  'submitted.support': 'Si no puede esperar: {contact}. Tenga su referencia a la mano.',
  'submitted.reference': 'Referencia',
  'submitted.received-at': 'Recibida el {time}',
  'submitted.check': 'Consultar de nuevo',
  'submitted.checked': 'Última consulta: {time}',
  'submitted.next.title': 'Qué sigue ahora',
  'submitted.next.received': 'Recibimos su solicitud.',
  'submitted.next.now': 'Ahora, si puede',
  'submitted.next.then': 'Cuando el prestamista la haya revisado',
  'submitted.next.offers': 'Compare las ofertas, si las hay.',
  'submitted.not-started': 'Pendiente',
  'submitted.files.one': '1 archivo entregado',
  'submitted.files.many': '{count} archivos entregados',
  'submitted.bank': 'Conectado',
  'submitted.continue': 'Ir a los documentos',
  'submitted.offers': 'Ver mis ofertas',
  'submitted.print': 'Imprimir esta página',
  record: 'Sus respuestas',
  tracking: 'Siga su solicitud en el sitio del prestamista',
  'submitted.page-only':
    'Este navegador no guarda ninguna cookie nuestra. Su solicitud ya se envió, pero cuando esta página se cierre o se recargue ya no se podrá mostrar aquí: anote la referencia y mantenga la página abierta mientras la necesite.',
  finish: 'Terminar en esta computadora',
  'finish.hint':
    'Si otras personas también usan esta computadora, cierre su solicitud aquí. Lo que envió queda enviado.',
  'finish.ending': 'Terminando…',
  'finish.unsent':
    'Tiene archivos que todavía no se han enviado y se perderían. Envíelos primero, o presione “Terminar en esta computadora” otra vez.',
  'finished.title': 'Ha terminado en esta computadora',
  'finished.text':
    'Ya no se muestra ni se guarda aquí nada de su solicitud. Lo que envió queda enviado; no necesita enviarlo de nuevo. Puede cerrar esta página.',
  'finished.new': 'Nueva solicitud',
  'attachments.waiting':
    'El prestamista recibirá lo que entregue aquí en cuanto tenga su solicitud.',
  'documents.why.page-only':
    'Los estados de cuenta bancarios recientes agilizan la decisión. Puede omitir este paso, o volver a él mientras esta página esté abierta.',
  'documents.drop': 'Suelte los archivos aquí, o',
  'documents.choose': 'Elegir archivos',
  'documents.hint': '{types}, hasta {size} cada uno, {count} archivos como máximo',
  'documents.hint.total':
    '{types}, hasta {size} cada uno, {count} archivos y {total} en total como máximo',
  'documents.camera': 'Tomar una foto',
  'documents.list': 'Sus archivos',
  'documents.unnamed': 'Archivo {number}',
  'documents.category': '¿Qué documento es?',
  'documents.suggested': 'Sugerido según el nombre del archivo',
  'documents.category.required': 'Elija qué es {name}',
  'documents.remove': 'Quitar',
  'documents.cancel': 'Cancelar',
  'documents.retry': 'Reintentar',
  'documents.remove.for': 'Quitar {name}',
  'documents.cancel.for': 'Cancelar el envío de {name}',
  'documents.retry.for': 'Reintentar el envío de {name}',
  'documents.send.one': 'Enviar 1 archivo',
  'documents.send.many': 'Enviar {count} archivos',
  'documents.count': '{sent} de {count} enviados',
  'documents.skip': 'Continuar sin documentos',
  'documents.continue': 'Continuar',
  'documents.skip.text':
    'Sin estados de cuenta ni conexión bancaria, los prestamistas pueden tardar más o pedírselos después.',
  'documents.preparing': 'Preparándolo…',
  'documents.location': 'No se pudo quitar la ubicación de esta foto.',
  'documents.state.queued': 'En espera de su turno',
  'documents.state.checking-later':
    'Todavía no pudimos revisar este archivo. Lo intentaremos de nuevo pronto.',
  'documents.state.offline': 'En espera de la conexión',
  'documents.state.finishing': 'Entregando…',
  'documents.state.uploading': 'Enviando, {percent} %',
  'documents.state.delivered': 'Enviado',
  'documents.state.received': 'Recibido, en camino al prestamista',
  'documents.state.delayed': 'Recibido, todavía sin entregar',
  'documents.state.rejected': 'No aceptado por el prestamista',
  'documents.state.infected': 'Rechazado por el antivirus',
  'documents.announce.added': '{name}: en su lista, todavía sin enviar',
  'documents.announce.repeated': '{name}: ya está en su lista',
  'documents.announce.half': '{name}: envío a la mitad',
  'documents.announce.received': '{name}: recibido, en camino al prestamista',
  'documents.announce.done': '{name}: enviado',
  'documents.announce.failed': '{name}: no se envió. {reason}',
  'documents.announce.removed': 'Se quitó {name}',
  'documents.problem.type': 'Este tipo de archivo no se puede enviar. Use {types}.',
  'documents.problem.heic':
    'Las fotos HEIC no se pueden enviar. Guarde la suya como JPG o haga una captura de pantalla, y elija esa.',
  'documents.problem.size': 'Este archivo pesa {actual}; el límite es de {size}.',
  'documents.problem.empty': 'Este archivo está vacío.',
  'documents.problem.count': 'Puede enviar {count} archivos como máximo.',
  'documents.problem.space':
    'Sus archivos pueden ocupar {total} en total, y este supera el espacio que queda. Elija uno más pequeño, o quite otro.',
  'documents.problem.canceled': 'Cancelado. No se guardó nada de este archivo.',
  'documents.unsent':
    'Tiene archivos que todavía no se han enviado. Envíelos o quítelos, o continúe sin ellos.',
  'checklist.title': 'Lo que más ayuda',
  'checklist.done': 'Listo',
  'checklist.open': 'Todavía no',
  'checklist.count': '{found} de {count}',
  'group.bank-statements': 'Estados de cuenta bancarios',
  'group.identity': 'Identidad',
  'group.financials': 'Impuestos y contabilidad',
  'group.ownership': 'Propiedad y registro',
  'group.debt': 'Deudas y gravámenes',
  'group.lender': 'Del prestamista',
  'group.other': 'Otros',
  'bank.demonstration': 'Banco de demostración',
  'bank.demonstration.text':
    'Este banco es ficticio. Crea un informe completo de 90 días para que vea cómo funciona una conexión.',
  'bank.start': 'Conectar un banco',
  'bank.skip': 'Continuar sin conectar',
  'bank.choose': 'Elija su banco',
  'bank.accounts': '¿Qué cuentas puede ver el prestamista?',
  'bank.accounts.required': 'Elija al menos una cuenta',
  'bank.institution.required': 'Elija uno de estos bancos',
  'bank.checking': 'Cuenta de cheques del negocio',
  'bank.savings': 'Cuenta de ahorros del negocio',
  'bank.share.text':
    'El prestamista recibe los nombres y datos de contacto de los titulares, los saldos y los movimientos de los últimos 90 días. No obtiene acceso para mover dinero.',
  'bank.share': 'Enviar al prestamista',
  'bank.cancel': 'Ahora no',
  'bank.sending': 'Enviando el informe…',
  'bank.delivered': 'Su informe bancario se ha enviado al prestamista.',
  'bank.received': 'Tenemos su informe bancario y se lo estamos entregando al prestamista.',
  'bank.delayed':
    'Tenemos su informe bancario, pero el sistema del prestamista todavía no lo ha recibido. Nos estamos ocupando de ello.',
  'bank.rejected':
    'El prestamista no pudo usar el informe bancario. Puede conectar su banco otra vez o enviar estados de cuenta.',
  'offers.check': 'Consultar ahora',
  'offers.checking': 'Consultando…',
  'problem.already-sent':
    'Su solicitud ya se envió. Aquí ya no se puede cambiar, y nada se envía dos veces.',
  'problem.rejected-with-documents':
    'El prestamista no pudo procesar la solicitud tal como está. No se ha perdido nada de lo que escribió. Revise sus respuestas y envíela de nuevo. Los documentos y el informe bancario iban con ella, y después habrá que entregarlos otra vez.',
  'problem.application-pending':
    'El prestamista todavía no tiene su solicitud. Se la estamos entregando; inténtelo de nuevo en un momento.',
  'problem.service-refused':
    'Hay un problema entre nosotros y el prestamista. No se ha perdido nada de lo que entregó, y no necesita enviarlo de nuevo.',
  'problem.document-name-invalid':
    'El nombre de este archivo no se puede usar. Cámbielo y elija el archivo de nuevo.',
  'problem.document-category-invalid': 'Elija qué es este archivo.',
  'problem.document-length-required':
    'Este navegador no pudo enviar el archivo. Pruebe con otro navegador.',
  'problem.document-empty': 'Este archivo está vacío.',
  'problem.document-too-large': 'Este archivo supera el límite.',
  'problem.document-incomplete': 'El archivo no llegó completo. Inténtelo de nuevo.',
  'problem.document-type-refused': 'Este tipo de archivo no se puede enviar.',
  'problem.document-type-mismatch':
    'Este archivo no tiene el formato que dice su nombre. Guárdelo de nuevo en el formato correcto y vuelva a elegirlo.',
  'problem.document-damaged':
    'Este archivo está dañado o incompleto. Descárguelo de nuevo. Si eso no ayuda, imprímalo como un PDF nuevo.',
  'problem.document-picture-damaged':
    'Esta imagen está dañada o incompleta. Tome una foto nueva o guarde la imagen de nuevo.',
  'problem.document-password':
    'Este archivo pide una contraseña para abrirse. Guarde una copia sin contraseña y elija esa.',
  'problem.document-attachments':
    'Este archivo tiene otros archivos adjuntos. Expórtelo o imprímalo como PDF sin adjuntos y elija ese.',
  'problem.document-active-content':
    'Este archivo puede iniciar un programa, o cargar o enviar algo por sí solo. Imprímalo como un PDF nuevo y elija ese.',
  'problem.document-media':
    'Este archivo contiene video, sonido o contenido 3D. Imprímalo como un PDF nuevo y elija ese.',
  'problem.document-scripts':
    'Este archivo contiene scripts. Imprímalo como un PDF nuevo y elija ese.',
  'problem.document-unsafe':
    'Este archivo contiene otro archivo o se descomprime en un tamaño muy grande. Imprímalo como un PDF nuevo y elija ese.',
  'problem.document-not-checked':
    'No pudimos revisar este archivo. Imprímalo como PDF nuevo o tómele una foto y elija esa copia.',
  'problem.inspection-unavailable':
    'No pudimos revisar este archivo por un problema nuestro. Su archivo sigue aquí. Inténtelo de nuevo en unos minutos.',
  'problem.document-too-many-pixels':
    'Esta imagen tiene demasiados píxeles. Guárdela en un tamaño menor o haga una captura de pantalla y elija esa.',
  'problem.document-infected':
    'Un antivirus rechazó este archivo, así que no se entregó. Envíe otra copia.',
  'problem.document-limit-reached': 'Ya envió todos los archivos que admite esta solicitud.',
  'problem.document-space-exhausted':
    'Sus archivos ocupan todo el espacio que admite esta solicitud. Envíe otros más pequeños, por ejemplo en blanco y negro.',
  'problem.document-rejected':
    'El prestamista no pudo aceptar este archivo tal como está. Revise lo que eligió en “¿Qué documento es?”, o envíe otra copia.',
  'problem.asset-report-invalid':
    'El informe bancario no contiene datos. Conecte su banco de nuevo.',
  'problem.asset-report-rejected':
    'El prestamista no pudo usar el informe bancario. Puede conectar su banco otra vez o enviar estados de cuenta.',
} as const satisfies Record<keyof typeof enAfter, string>;
