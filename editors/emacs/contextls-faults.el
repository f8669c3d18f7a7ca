;;; contextls-faults.el --- What is wrong in a working set  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; The server says what is wrong in .context/working-set.yml, and in what
;; that includes; Flymake shows it, as it shows what other programs find.

;;; Code:

(require 'flymake)

(defvar contextls--faults (make-hash-table :test #'equal)
  "What the server found wrong last, by the URI of the file.")

(defvar contextls--uri)

(defun contextls--take-faults (params)
  "Remember the diagnostics in PARAMS and show them where the file is open."
  (let ((uri (plist-get params :uri))
        (found (append (plist-get params :diagnostics) nil)))
    (if found
        (puthash uri found contextls--faults)
      (remhash uri contextls--faults))
    (dolist (buffer (buffer-list))
      (when (equal (buffer-local-value 'contextls--uri buffer) uri)
        (with-current-buffer buffer
          (contextls--show-faults))))))

(defun contextls--show-known-faults ()
  "Show what was found wrong in this buffer's file before it was opened."
  (when (gethash contextls--uri contextls--faults)
    (contextls--show-faults)))

(defun contextls--show-faults ()
  "Let Flymake ask again in this buffer, and for the first time if need be."
  (add-hook 'flymake-diagnostic-functions #'contextls--flymake nil t)
  (if (bound-and-true-p flymake-mode)
      (flymake-start)
    (flymake-mode 1)))

(defun contextls--flymake (report &rest _)
  "Tell REPORT what the server found wrong in this buffer's file."
  (funcall report
           (mapcar #'contextls--fault
                   (gethash contextls--uri contextls--faults))))

(defun contextls--fault (diagnostic)
  "DIAGNOSTIC of the protocol as Flymake has it."
  (let* ((range (plist-get diagnostic :range))
         (start (contextls--point (plist-get range :start)))
         (end (contextls--point (plist-get range :end))))
    (flymake-make-diagnostic
     (current-buffer) start (max end (min (1+ start) (point-max)))
     (pcase (plist-get diagnostic :severity)
       (1 :error)
       (2 :warning)
       (_ :note))
     (plist-get diagnostic :message))))

(defun contextls--point (position)
  "The place in this buffer of POSITION, which counts in characters."
  (save-excursion
    (save-restriction
      (widen)
      (goto-char (point-min))
      (forward-line (plist-get position :line))
      (min (+ (point) (plist-get position :character))
           (line-end-position)))))

(provide 'contextls-faults)
;;; contextls-faults.el ends here
