;;; contextls-install.el --- Install the contextls server  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Makes an environment for the server in the folder of Emacs: with uv, else
;; with Python's own venv and pip, in a buffer where one can watch.

;;; Code:

(require 'compile)
(require 'contextls-server)

(defcustom contextls-source nil
  "What `contextls-install' installs.
The folder of contextls' source, a wheel, or a requirement for pip.
When nil, it is the checkout that this package lies in."
  :type '(choice (const :tag "The checkout of this package" nil) string)
  :group 'contextls)

(defconst contextls--library
  (file-truename (or load-file-name buffer-file-name))
  "This file, behind all links.")

(defun contextls--source ()
  "What to install."
  (or contextls-source
      (when-let* ((folder (locate-dominating-file contextls--library
                                                  "pyproject.toml"))
                  ((file-directory-p
                    (expand-file-name "server/contextls" folder))))
        (expand-file-name folder))
      (user-error
       "Name the folder of contextls' source in `contextls-source'")))

(defun contextls--install-command ()
  "The shell command for the installation."
  (let* ((exec-path (contextls--exec-path))
         (uv (executable-find "uv"))
         (python (or (executable-find "python3") (executable-find "python")))
         (directory (directory-file-name contextls--install-directory))
         (inside (expand-file-name (if (eq system-type 'windows-nt)
                                       "Scripts/python.exe"
                                     "bin/python")
                                   directory))
         (steps (cond
                 (uv `((,uv "venv" "--python" ">=3.11,<3.15" ,directory)
                       (,uv "pip" "install" "--python" ,inside
                            ,(contextls--source))))
                 (python `((,python "-m" "venv" ,directory)
                           (,inside "-I" "-m" "pip" "install"
                                    ,(contextls--source))))
                 (t (user-error
                     "Install uv, or Python 3.11 or newer; none was found")))))
    (mapconcat (lambda (step) (mapconcat #'shell-quote-argument step " "))
               steps " && ")))

(defun contextls--say-installed (_buffer said)
  "Say what came of the installation, which ended as SAID."
  (if (file-executable-p (contextls--own-program))
      (message "The contextls server is ready")
    (message "The contextls server was not installed: %s; its buffer says why"
             (string-trim said))))

;;;###autoload
(defun contextls-install ()
  "Install the server, or install it again: about 630 MB from PyPI.
Return the buffer in which that happens."
  (interactive)
  (let ((command (contextls--install-command))
        (default-directory (expand-file-name "~/")))
    (contextls--stop)
    (delete-directory contextls--install-directory t)
    (make-directory (file-name-directory
                     (directory-file-name contextls--install-directory))
                    t)
    (with-current-buffer (compilation-start
                          command nil (lambda (_mode) "*contextls install*"))
      (add-hook 'compilation-finish-functions
                #'contextls--say-installed nil t)
      (current-buffer))))

(defun contextls--install-and-wait ()
  "Install the server and wait until it is there."
  (let ((buffer (contextls-install)))
    (while (get-buffer-process buffer)
      (accept-process-output nil 0.1)
      (redisplay))
    (unless (file-executable-p (contextls--own-program))
      (user-error "The contextls server was not installed; see %s" buffer))))

(provide 'contextls-install)
;;; contextls-install.el ends here
